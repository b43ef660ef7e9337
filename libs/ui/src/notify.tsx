import { toast } from 'react-hot-toast/headless'

export interface Notice {
  title?: string
  message?: string
  destructive?: boolean
}

/** Shows a notice in the place of the one before. */
export const notify = ({ title, message, destructive = false }: Notice): void => {
  toast.dismiss()
  const show = destructive ? toast.error : toast.success
  show(
    <>
      {title && <b>{title}</b>}
      {message && <span>{message}</span>}
    </>,
  )
}

/** A failure, as the error catalogue wants it: titled 'Error' unless the case has a title of its own. */
export const notifyError = (message: string, title = 'Error'): void =>
  notify({ title, message, destructive: true })
