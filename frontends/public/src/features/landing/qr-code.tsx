import type { SVGProps } from 'react'

// A valid QR code, row by row. Its content is 'Just scan, click, and upload.'
const rows = [
  'M0 0.5h7m5 0h1m5 0h7M0 1.5h1m5 0h1m1 0h1m1 0h1m1 0h1m2 0h1m2 0h1m5 0h1M0 2.5h1m1 0h3m1 0h1m4 0h1m3 0h2m1',
  '0h1m1 0h3m1 0h1M0 3.5h1m1 0h3m1 0h1m1 0h7m3 0h1m1 0h3m1 0h1M0 4.5h1m1 0h3m1 0h1m2 0h1m1 0h2m5 0h1m1 0h3m1',
  '0h1M0 5.5h1m5 0h1m1 0h2m2 0h1m2 0h2m1 0h1m5 0h1M0 6.5h7m1 0h1m1 0h1m1 0h1m1 0h1m1 0h1m1 0h7M9 7.5h2m3 0h1',
  'M0 8.5h5m1 0h4m2 0h3m2 0h1m1 0h1m1 0h1m1 0h1M2 9.5h1m2 0h1m2 0h1m1 0h2m1 0h1m2 0h1m4 0h1m1 0h1M0 10.5h1m1',
  '0h1m2 0h2m3 0h1m2 0h5m2 0h1m1 0h3M0 11.5h1m1 0h1m1 0h2m1 0h2m3 0h1m5 0h3m2 0h2M0 12.5h3m3 0h2m1 0h2m1 0h4',
  'm2 0h1m1 0h1m1 0h3M0 13.5h2m1 0h1m1 0h1m3 0h1m1 0h1m4 0h1m2 0h1m3 0h1M0 14.5h1m1 0h1m1 0h1m1 0h3m1 0h1m3',
  '0h3m1 0h2m1 0h1m1 0h2M0 15.5h1m2 0h3m2 0h2m1 0h1m3 0h1m2 0h1m2 0h1M0 16.5h1m2 0h1m1 0h2m1 0h1m1 0h4m2 0h7',
  'M8 17.5h4m3 0h2m3 0h2m2 0h1M0 18.5h7m1 0h1m3 0h1m3 0h1m1 0h1m1 0h2m1 0h2M0 19.5h1m5 0h1m2 0h1m6 0h1m3 0h1',
  'm2 0h2M0 20.5h1m1 0h3m1 0h1m1 0h13m1 0h2M0 21.5h1m1 0h3m1 0h1m1 0h1m2 0h1m2 0h2m1 0h2m1 0h2m1 0h2M0 22.5',
  'h1m1 0h3m1 0h1m1 0h2m2 0h1m1 0h1m1 0h1m2 0h1m2 0h1m1 0h1M0 23.5h1m5 0h1m1 0h1m3 0h1m1 0h3m1 0h3m3 0h1',
  'M0 24.5h7m1 0h2m3 0h2m2 0h1m3 0h4',
].join(' ')

/** A decorative QR code, dark on white in both themes. */
export const QrCode = (props: Pick<SVGProps<SVGSVGElement>, 'x' | 'y' | 'width' | 'height'>) => (
  <svg viewBox="-2 -2 29 29" {...props}>
    <path d="M-2-2h29v29H-2z" fill="#fff" />
    <path d={rows} stroke="#2b1b35" strokeWidth="1.02" />
  </svg>
)
