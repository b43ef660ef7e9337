import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { IconButton } from './button.tsx'
import { useText } from './texts.ts'

interface Props {
  dark: boolean
  onToggle: () => void
}

export const ThemeToggle = ({ dark, onToggle }: Props) => {
  const t = useText()
  return (
    <IconButton variant="ghost" label={t(dark ? 'common.lightTheme' : 'common.darkTheme')} onClick={onToggle}>
      {dark ? <Sun size={20} aria-hidden /> : <Moon size={20} aria-hidden />}
    </IconButton>
  )
}
