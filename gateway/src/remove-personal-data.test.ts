import { expect, test } from '@jest/globals'
import { removePersonalData } from './client-errors.ts'

test.each([
  ['/upload?eventId=6b03b0c58bddcb2b37aa5f39#top', '/upload'],
  ['/events/6b03b0c58bddcb2b37aa5f39', '/events/[id]'],
  ['GET https://blob.test/a/b.jpg?sig=abc%2F&se=2027 failed', 'GET https://blob.test/a/b.jpg failed'],
  ['No account zoë.o@example.org here', 'No account [email] here'],
  [`Unexpected token 'A', "Aunt Marta" is not valid JSON`, "Unexpected token 'A', [text] is not valid JSON"],
  ["The name 'Aunt Marta' is too long", 'The name [text] is too long'],
  [`Bearer eyJhbGciOiJFUzI1NiJ9aa.eyJzdWIiOiI2YjAzYjBjNTgi.c2lnbmF0dXJlMTIzNDU2Nzg5`, 'Bearer [id]'],
])('When a text is %s, then it becomes %s', (text, expected) => {
  expect(removePersonalData(text)).toBe(expected)
})

test.each([
  "TypeError: Cannot read properties of undefined (reading 'name')",
  '    at Gallery (https://admin.test/__federation_expose_routes.64ba8db42a.js:1:2345)',
  'render@https://admin.test/main.64ba8db42a.js:1:2345',
])('When a text has no personal data, then it is unchanged: %s', (text) => {
  expect(removePersonalData(text)).toBe(text)
})
