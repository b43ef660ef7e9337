import { useEffect, useState } from 'react'
import Maximize from 'lucide-react/icons/maximize'
import Minimize from 'lucide-react/icons/minimize'
import { Button } from '@confetti/ui/button'
import { useText } from '../../texts.ts'
import styles from './full-screen.module.css'

/** How long the pointer and the button are shown after the last movement. */
const SHOWN_MS = 3_000

/** Fills the screen with the page, or ends that. A browser may refuse it, or lack it, as that of iPhones does. */
export const toggleFullScreen = (): void => {
  if (!document.fullscreenEnabled) return
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen()
  change.catch(() => undefined)
}

/** Whether somebody has moved the pointer or touched the screen within the last seconds. */
export const useMovement = (): boolean => {
  const [isMoving, setIsMoving] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const handleMove = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => setIsMoving(false), SHOWN_MS)
      setIsMoving(true)
    }
    const events = ['pointermove', 'pointerdown'] as const
    for (const event of events) addEventListener(event, handleMove)
    return () => {
      clearTimeout(timer)
      for (const event of events) removeEventListener(event, handleMove)
    }
  }, [])
  return isMoving
}

const useFullScreen = (): boolean => {
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    const handleChange = (): void => setIsFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', handleChange)
    return () => document.removeEventListener('fullscreenchange', handleChange)
  }, [])
  return isFull
}

/** Enter, the middle button of a TV's remote control, and F. */
const useKeys = (): void => {
  useEffect(() => {
    const handleKey = ({ key, target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent): void => {
      // Enter on a button is its click.
      const isPress = key === 'Enter' && target instanceof HTMLButtonElement
      const isOurs = key === 'Enter' || key.toLowerCase() === 'f'
      if (isOurs && !isPress && !ctrlKey && !metaKey && !altKey && !repeat) toggleFullScreen()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
}

/** The button that fills the screen with the wall, and the keys that do. It can be seen where `isShown`, and while it has the focus. */
export const FullScreenButton = ({ isShown }: { isShown: boolean }) => {
  const t = useText()
  const isFull = useFullScreen()
  useKeys()
  if (!document.fullscreenEnabled) return null
  const Icon = isFull ? Minimize : Maximize
  return (
    <Button
      variant="secondary"
      icon={<Icon size={20} aria-hidden />}
      className={`${styles.button} ${isShown ? styles.shown : ''}`}
      onClick={toggleFullScreen}
      // That of the wall would toggle a third time.
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {t(isFull ? 'wall.fullScreen.end' : 'wall.fullScreen')}
    </Button>
  )
}
