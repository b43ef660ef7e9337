/**
 * Gives a button that is clicked the focus, as most browsers do. Safari does not, and the focus could then not
 * return to the button, for example when a dialog closes.
 */
export const focusClickedButtons = (): void => {
  document.addEventListener(
    'click',
    ({ target, isTrusted, detail }) => {
      const button = target instanceof Element ? target.closest('button') : null
      // A click by Enter in a field has no detail: the field keeps the focus.
      if (isTrusted && detail > 0 && button && !button.contains(document.activeElement))
        button.focus({ preventScroll: true, focusVisible: false })
    },
    // Before the button's own handlers.
    { capture: true },
  )
}
