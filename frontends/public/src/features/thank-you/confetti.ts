const COLOURS = ['--coral', '--marigold', '--teal', '--sky', '--plum']

/** Shows a burst of confetti, unless the user prefers reduced motion. */
export const throwConfetti = (): void => {
  import('canvas-confetti')
    .then(({ default: confetti }) => {
      const style = getComputedStyle(document.documentElement)
      const colors = COLOURS.map((name) => style.getPropertyValue(name).trim())
      const common = {
        colors,
        particleCount: 70,
        spread: 70,
        startVelocity: 48,
        disableForReducedMotion: true,
      }
      void confetti({ ...common, angle: 60, origin: { x: 0, y: 0.7 } })
      void confetti({ ...common, angle: 120, origin: { x: 1, y: 0.7 } })
    })
    // Confetti is optional: a failed download is ignored.
    .catch(() => undefined)
}
