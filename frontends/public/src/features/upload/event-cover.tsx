import { useEffect, useState } from 'react'
import { fetchCover } from './event-api.ts'
import styles from './event-cover.module.css'

/** The cover of an event. Its space is reserved from the start, and stays if there is no picture to show in it. */
export const EventCover = ({ eventId }: { eventId: string }) => {
  const [url, setUrl] = useState<string>()

  useEffect(() => {
    const controller = new AbortController()
    fetchCover(eventId, controller.signal).then(
      (cover) => setUrl(cover.url),
      // Guests can upload without it.
      () => undefined,
    )
    return () => controller.abort()
  }, [eventId])

  return (
    <div className={styles.cover}>
      {url && (
        <img src={url} alt="" decoding="async" className={styles.picture} onError={() => setUrl(undefined)} />
      )}
    </div>
  )
}
