const COLOURS = ['--coral', '--marigold', '--teal', '--sky', '--plum']

/** A handful of confetti, if it comes in time and nobody minds movement. */
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
    // It is only confetti.
    .catch(() => undefined)
}
