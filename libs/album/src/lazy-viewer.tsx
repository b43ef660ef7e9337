import { useEffect, useState } from 'react'
import X from 'lucide-react/icons/x'
import { ApiError } from '@confetti/api-client'
import { IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { notifyError } from '@confetti/ui/notify'
import { useText } from '@confetti/ui/texts'
import type { ViewerProps } from './viewer.tsx'
import styles from './viewer.module.css'

const connectionLost = new ApiError(0, {
  code: 'network_error',
  message: 'The connection was lost. Please try again.',
})

const loadCode = () => import('./viewer.tsx')
let code: Awaited<ReturnType<typeof loadCode>> | undefined

/** The viewer, whose code is loaded when it is first opened. */
export const LazyViewer = <T extends { _id: string }>(props: ViewerProps<T>) => {
  const t = useText()
  const [loaded, setLoaded] = useState(code)
  const { onClose } = props

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
        notifyError(getFailureText(connectionLost))
      })
    return () => {
      isClosed = true
    }
  }, [onClose])

  if (loaded) return <loaded.Viewer {...props} />
  return (
    <div aria-busy className={`dark ${styles.box}`}>
      <IconButton variant="ghost" label={t('common.close')} className={styles.close} onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
