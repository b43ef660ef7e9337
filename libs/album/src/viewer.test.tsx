import { afterEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Viewer } from './viewer.tsx'

afterEach(cleanup)

test('When the photo that is open is removed, with the button that has the focus, then the keys still work', async () => {
  const user = userEvent.setup()
  const onShow = jest.fn()
  const all = [{ _id: 'cake' }, { _id: 'dance' }]
  const viewerOf = (uploads: typeof all) => (
    <Viewer
      uploads={uploads}
      openId="cake"
      upload={uploads.find(({ _id }) => _id === 'cake')}
      toMedium={({ _id }) => ({ label: _id, thumbnailUrl: undefined, pictureUrl: undefined })}
      findPreloadUrl={() => undefined}
      formatPosition={String}
      missingText="This photo is gone."
      actions={() => <button type="button">Report</button>}
      caption={() => null}
      onClose={() => undefined}
      onShow={onShow}
      onLinkFailed={() => undefined}
    />
  )
  const { rerender } = render(viewerOf(all))
  screen.getByRole('button', { name: 'Report' }).focus()
  rerender(viewerOf(all.slice(1)))
  await user.keyboard('{ArrowRight}')
  expect(onShow.mock.calls).toEqual([['dance']])
})
