/** The product's logo. */
export const Logo = ({ size = 32 }: { size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 32 32"
    aria-hidden="true"
    focusable="false"
    style={{ flex: 'none' }}
  >
    <rect width="32" height="32" rx="9" fill="var(--plum)" />
    <rect x="8" y="9" width="8" height="4" rx="1.4" transform="rotate(-24 12 11)" fill="#f2b134" />
    <circle cx="22" cy="10" r="3" fill="#57c4b8" />
    <path d="M9 22a5 5 0 0 1 10 0z" fill="#ff7a83" />
    <rect x="20" y="17" width="7" height="3.6" rx="1.4" transform="rotate(38 23 19)" fill="#fff" />
  </svg>
)
