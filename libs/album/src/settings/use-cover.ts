import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Event, Upload } from '@confetti/contracts'

type GetCover = (signal: AbortSignal) => Promise<{ url: string }>

/** The links to the pictures of covers: that of the event, and of those that were chosen since. */
export const useCover = ({ _id, cover: savedCover }: Event, getCover: GetCover) => {
  const [chosenUrls, setChosenUrls] = useState<Readonly<Record<string, string>>>({})
  const { data: saved } = useQuery({
    queryKey: ['cover', _id, savedCover],
    queryFn: ({ signal }) => getCover(signal),
    enabled: savedCover !== undefined,
  })
  return {
    /** Undefined if there is none, or if it is not known (yet). */
    findUrl: (cover: string): string | undefined =>
      chosenUrls[cover] ?? (cover && cover === savedCover ? saved?.url : undefined),
    addUrl: ({ _id: id, previewUrl, thumbnailUrl }: Upload): void => {
      const url = previewUrl ?? thumbnailUrl
      if (url) setChosenUrls((before) => ({ ...before, [id]: url }))
    },
  }
}
export type Cover = ReturnType<typeof useCover>
