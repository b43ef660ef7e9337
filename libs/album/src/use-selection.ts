import { useCallback, useMemo, useRef, useState } from 'react'
import type { Upload } from '@confetti/contracts'

const noIds: ReadonlySet<string> = new Set()

/** The uploads from one to another one in a list, in either direction. Only `to` if `from` is not in the list. */
export const findRange = (
  uploads: readonly Upload[],
  from: string | undefined,
  to: string,
): readonly Upload[] => {
  const end = uploads.findIndex(({ _id }) => _id === to)
  const start = uploads.findIndex(({ _id }) => _id === from)
  if (start === -1) return uploads.slice(end, end + 1)
  return uploads.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/**
 * A selection of uploads. Uploads that a filter hides stay selected; deleted ones leave the selection. `uploads` are
 * all uploads, `shown` those that the gallery shows, in its order.
 */
export const useSelection = (uploads: readonly Upload[], shown: readonly Upload[]) => {
  const [isSelecting, setIsSelecting] = useState(false)
  const [chosenIds, setChosenIds] = useState(noIds)
  const [lastId, setLastId] = useState<string>()
  // Where a range begins. A ref, so that a click does not change the callback of every card.
  const rangeStartId = useRef<string>(undefined)

  const selected = useMemo(() => uploads.filter(({ _id }) => chosenIds.has(_id)), [uploads, chosenIds])
  const ids = useMemo(() => new Set(selected.map(({ _id }) => _id)), [selected])

  const clear = (): void => {
    setChosenIds(noIds)
    setLastId(undefined)
    rangeStartId.current = undefined
  }
  const add = useCallback(
    (more: readonly Upload[]): void =>
      setChosenIds((before) => new Set([...before, ...more.map(({ _id }) => _id)])),
    [],
  )
  const toggle = useCallback(({ _id }: Upload): void => {
    setChosenIds((before) => {
      const after = new Set(before)
      if (!after.delete(_id)) after.add(_id)
      return after
    })
    setLastId(_id)
    rangeStartId.current = _id
  }, [])
  const extendTo = useCallback(
    ({ _id }: Upload): void => {
      const start = rangeStartId.current
      add(findRange(shown, start, _id))
      if (!shown.some((upload) => upload._id === start)) rangeStartId.current = _id
      setLastId(_id)
    },
    [add, shown],
  )

  return {
    isSelecting,
    /** The selected uploads, in the order of `uploads`. */
    selected,
    ids,
    /** The upload whose card was selected or deselected last. */
    last: uploads.find(({ _id }) => _id === lastId),
    start: (): void => setIsSelecting(true),
    /** Leaves selection mode. */
    stop: (): void => {
      setIsSelecting(false)
      clear()
    },
    clear,
    add,
    /** Selects or deselects an upload. */
    toggle,
    /** Selects all from the upload that was last selected or deselected without a range to this one. */
    extendTo,
  }
}
export type Selection = ReturnType<typeof useSelection>
