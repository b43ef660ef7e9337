import type { ComponentProps } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { useText } from './texts.ts'

interface Props extends Pick<ComponentProps<typeof EmptyState>, 'as' | 'title'> {
  /** Why, or what to do about it. */
  text: string
  onRetry: () => void
}

/** Shown in place of what could not be loaded. */
export const LoadFailed = ({ text, onRetry, ...state }: Props) => {
  const t = useText()
  return (
    <EmptyState {...state}>
      <p>{text}</p>
      <Button icon={<RotateCw size={20} aria-hidden />} onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </EmptyState>
  )
}
