import { lazy, Suspense, type ComponentProps, type ComponentType } from 'react'
import { loadCatalogues } from '@confetti/i18n'
import { galleryCatalogue } from '../../gallery-texts.ts'
import type * as Control from './save-control.tsx'

// What guests save photos with, loaded where an event lets them. Nothing, if that fails: the photos can be seen without it.

const load = async (): Promise<typeof Control | undefined> =>
  Promise.all([import('./save-control.tsx'), loadCatalogues([galleryCatalogue])]).then(
    ([control]) => control,
    () => undefined,
  )

type BarProps = ComponentProps<typeof Control.SaveBar>
type ButtonProps = ComponentProps<typeof Control.SaveButton>
const LazyBar = lazy<ComponentType<BarProps>>(async () => ({
  default: (await load())?.SaveBar ?? (() => null),
}))
const LazyButton = lazy<ComponentType<ButtonProps>>(async () => ({
  default: (await load())?.SaveButton ?? (() => null),
}))
const LazyOwn = lazy<ComponentType<{ eventId: string }>>(async () => ({
  default: (await load())?.SaveOwn ?? (() => null),
}))

export const SaveOwn = (props: { eventId: string }) => (
  <Suspense>
    <LazyOwn {...props} />
  </Suspense>
)

export const SaveBar = (props: BarProps) => (
  <Suspense>
    <LazyBar {...props} />
  </Suspense>
)

export const SaveButton = (props: ButtonProps) =>
  props.upload.saveUrl ? (
    <Suspense>
      <LazyButton {...props} />
    </Suspense>
  ) : null
