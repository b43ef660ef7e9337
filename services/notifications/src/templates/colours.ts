/** The colours of the frontends' design, as far as mails and their pages need them. */
interface Colours {
  page: string
  card: string
  text: string
  small: string
  line: string
  button: string
  onButton: string
}

export const light: Colours = {
  page: '#fcf8f3',
  card: '#ffffff',
  text: '#2b1b35',
  small: '#6d5f75',
  line: '#e9dfe6',
  button: '#6d2a6b',
  onButton: '#ffffff',
}

export const dark: Colours = {
  page: '#18111d',
  card: '#221829',
  text: '#f5edf4',
  small: '#b9a9bf',
  line: '#3a2c43',
  button: '#e0a3dd',
  onButton: '#2a1230',
}
