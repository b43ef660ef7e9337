import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import X from 'lucide-react/icons/x'
import { createNetworkError } from '@confetti/api-client'
import { IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { notifyError } from '@confetti/ui/notify'
import { useText } from '@confetti/ui/texts'
import type { ViewerProps } from './viewer.tsx'
import styles from './viewer.module.css'

const loadCode = () => import('./viewer.tsx')
let code: Awaited<ReturnType<typeof loadCode>> | undefined

const isOverlayEntry = (): boolean => (history.state as { overlay?: boolean } | null)?.overlay === true

/** Resolves once the history has no entry of a viewer that was closed. */
let historyRestored = Promise.resolve()

/** Makes the browser's back button close the viewer instead of leaving the page, which stays where it is. */
const useCloseOnBack = (onClose: () => void): void => {
  useEffect(() => {
    let leave: (() => void) | undefined
    let isClosed = false
    const enter = (): void => {
      if (isClosed) return
      const { scrollRestoration } = history
      // Else it would scroll back to where the viewer was opened, also if the photo shown last is elsewhere.
      history.scrollRestoration = 'manual'
      // The entry keeps the state of the router.
      history.pushState({ ...(history.state as object | null), overlay: true }, '')
      window.addEventListener('popstate', onClose)
      leave = () => {
        window.removeEventListener('popstate', onClose)
        historyRestored = new Promise((resolve) => {
          const restore = (): void =>
            void setTimeout(() => {
              history.scrollRestoration = scrollRestoration
              resolve()
            })
          if (isOverlayEntry()) {
            window.addEventListener('popstate', restore, { once: true })
            history.back()
          } else restore()
        })
      }
    }
    // The browser goes back later: that would close a viewer that is opened meanwhile.
    void historyRestored.then(enter)
    return () => {
      isClosed = true
      leave?.()
    }
  }, [onClose])
}

/** Stops the page behind from being scrolled. It keeps its width where a scroll bar disappears. */
const useScrollLock = (): void => {
  useLayoutEffect(() => {
    const { style } = document.body
    const { overflow, paddingInlineEnd } = style
    style.paddingInlineEnd = `${window.innerWidth - document.documentElement.clientWidth}px`
    style.overflow = 'hidden'
    return () => void Object.assign(style, { overflow, paddingInlineEnd })
  }, [])
}

/** What is there until the code of the viewer has been loaded. */
const WaitingViewer = ({ onClose }: { onClose: () => void }) => {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const closeOnEscape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') onClose()
    }
    // Else the keys would go to the page behind.
    box.current?.focus()
    window.addEventListener('keydown', closeOnEscape)
    return () => window.removeEventListener('keydown', closeOnEscape)
  }, [onClose])
  return (
    <div ref={box} tabIndex={-1} aria-busy className={`dark ${styles.box}`}>
      <IconButton variant="ghost" label={t('common.close')} className={styles.close} onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

/** The viewer, whose code is loaded when it is first opened. */
export const LazyViewer = <T extends { _id: string }>(props: ViewerProps<T>) => {
  const [loaded, setLoaded] = useState(code)
  const { onClose } = props
  useCloseOnBack(onClose)
  useScrollLock()

  useEffect(() => {
    let isClosed = false
    loadCode()
      .then((viewer) => {
        code = viewer
        if (!isClosed) setLoaded(viewer)
      })
      .catch(() => {
        if (isClosed) return
        onClose()
        notifyError(getFailureText(createNetworkError()))
      })
    return () => {
      isClosed = true
    }
  }, [onClose])

  return loaded ? <loaded.Viewer {...props} /> : <WaitingViewer onClose={onClose} />
}
