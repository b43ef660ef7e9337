/** A drawing of confetti. Hidden from screen readers; clicks pass through it. */
export const ConfettiDecoration = ({ className }: { className?: string | undefined }) => (
  <svg
    viewBox="225 0 150 140"
    data-confetti
    aria-hidden="true"
    focusable="false"
    className={className}
    pointerEvents="none"
  >
    <rect x="300" y="24" width="16" height="7" rx="2" transform="rotate(24 308 27)" fill="var(--coral)" />
    <rect x="336" y="62" width="14" height="6" rx="2" transform="rotate(-38 343 65)" fill="var(--marigold)" />
    <circle cx="270" cy="52" r="5" fill="var(--teal)" />
    <path d="M322 104a9 9 0 0 1 18 0z" transform="rotate(30 331 100)" fill="var(--sky)" />
    <rect x="242" y="18" width="12" height="6" rx="2" transform="rotate(-18 248 21)" fill="var(--plum)" />
    <path
      d="M286 84q6-8 12 0t12 0"
      stroke="var(--coral)"
      strokeWidth="3.5"
      fill="none"
      strokeLinecap="round"
    />
    <circle cx="352" cy="24" r="4" fill="var(--plum)" />
    <rect x="352" y="126" width="13" height="6" rx="2" transform="rotate(60 358 129)" fill="var(--teal)" />
  </svg>
)
