import { countCodePoints, normaliseText } from '@confetti/contracts'
import { invalid } from '@confetti/service-kit'

/** The name that a guest sent, normalised. Throws `invalid` if it is blank or longer than `maxCharacters`. */
export const checkCredit = (sent: string | undefined, maxCharacters: number): string => {
  const credit = normaliseText(sent ?? '')
  if (!credit) throw invalid('Photo credit name is required.', { code: 'credit_missing' })
  if (countCodePoints(credit) > maxCharacters)
    throw invalid(`The name is longer than ${maxCharacters} characters.`)
  return credit
}
