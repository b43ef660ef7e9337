import { afterEach, expect, test } from '@jest/globals'
import { act, cleanup, renderHook } from '@testing-library/react'
import { useForm } from './field-errors.tsx'

afterEach(cleanup)

test('When fields are rejected, then each keeps its error until it changes or all are cleared', () => {
  const { result } = renderHook(() => useForm())
  act(() => result.current.show(() => ({ email: 'Taken.', password: 'Too short.', name: 'Missing.' })))
  act(() => {
    result.current.clear('email')
    result.current.clear('name')
    result.current.clear('other')
  })
  expect(result.current.errors).toEqual({ password: 'Too short.' })
  act(() => result.current.show(() => ({ email: 'Taken.' })))
  expect(result.current.errors).toEqual({ email: 'Taken.' })
  act(() => result.current.clear())
  expect(result.current.errors).toEqual({})
})

test('When the page is rendered in another language, then the errors follow', () => {
  let text = 'Taken.'
  const { result, rerender } = renderHook(() => useForm())
  act(() => result.current.show(() => ({ email: text })))
  text = 'Vergeben.'
  rerender()
  expect(result.current.errors).toEqual({ email: 'Vergeben.' })
})
