import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { IconButton } from './button.tsx'

interface Props {
  dark: boolean
  onToggle: () => void
}

export const ThemeToggle = ({ dark, onToggle }: Props) => (
  <IconButton
    variant="ghost"
    label={dark ? 'Switch to light theme' : 'Switch to dark theme'}
    onClick={onToggle}
  >
    {dark ? <Sun size={20} aria-hidden /> : <Moon size={20} aria-hidden />}
  </IconButton>
)
