import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import sharp from 'sharp'
import { toLinkPicture } from './gallery.ts'

const newPreview = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } })
    .webp()
    .toBuffer()

test.each([
  ['wide', 1_600, 400],
  ['high', 900, 1_600],
  ['small', 40, 30],
])('The picture of a %s photo has the size that social networks show', async (_, width, height) => {
  const picture = await toLinkPicture(await newPreview(width, height, '#d9577a80'))
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1_200, height: 630 })
})

test('The picture of a photo that compresses badly is small enough for WhatsApp', async () => {
  const raw = { width: 1_200, height: 900, channels: 3 } as const
  const noise = await sharp(randomBytes(1_200 * 900 * 3), { raw })
    .webp({ quality: 90 })
    .toBuffer()
  expect((await toLinkPicture(noise)).length).toBeLessThanOrEqual(300_000)
})
