/** Where a finger is, in px from the middle of an element. */
export type Point = readonly [x: number, y: number]

export type Key = 'ArrowDown' | 'Enter' | 'Escape' | 'Tab'

/**
 * Controls one page of a browser. A script is the body of a JavaScript function that runs in the page; one that
 * finds an element returns it. Clicks and keys are events of the browser itself, as a user causes them.
 */
export interface BrowserDriver {
  open: (url: string) => Promise<void>
  /** Returns what the script returns, which must be representable as JSON. */
  evaluate: (script: string) => Promise<unknown>
  click: (findElement: string) => Promise<void>
  /** Puts a finger on the element and moves it along the points, once for each path. */
  touch: (findElement: string, paths: readonly (readonly Point[])[]) => Promise<void>
  /** Types into the element, which gets the focus. */
  type: (findElement: string, text: string) => Promise<void>
  /** Presses a key in the element that has the focus. */
  press: (key: Key) => Promise<void>
  chooseFiles: (findInput: string, paths: readonly string[]) => Promise<void>
  /** The folder into which the browser saves downloads. */
  downloads: string
  close: () => Promise<void>
}
