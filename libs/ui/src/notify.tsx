import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { getText } from './texts.ts'

export interface ToastContent {
  title?: string
  message?: string
  destructive?: boolean
}

/** Shows a toast. It replaces the current one. Returns a function that removes it. */
export const notify = ({ title, message, destructive = false }: ToastContent): (() => void) => {
  toast.dismiss()
  const show = destructive ? toast.error : toast.success
  const id = show(
    <>
      {title && <b>{title}</b>}
      {message && <span>{message}</span>}
    </>,
  )
  return () => toast.dismiss(id)
}

/** Shows a toast for a failure, in the destructive style. Returns a function that removes it. */
export const notifyError = (message: string, title = getText('common.error')): (() => void) =>
  notify({ title, message, destructive: true })

/** Shows `message` as an error when it appears or changes; undefined while there is no error. */
export const useErrorNotice = (message: string | undefined): void => {
  useEffect(() => {
    if (message !== undefined) notifyError(message)
  }, [message])
}
