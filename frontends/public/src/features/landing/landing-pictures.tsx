import type { SVGProps } from 'react'
import styles from './landing-pictures.module.css'
import { CakePhoto, DancePhoto, GardenPhoto, GlassesPhoto } from './photo-illustrations.tsx'

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
const QrCode = (props: Pick<SVGProps<SVGSVGElement>, 'x' | 'y' | 'width' | 'height'>) => (
  <svg viewBox="-2 -2 29 29" {...props}>
    <path d="M-2-2h29v29H-2z" fill="#fff" />
    <path d={rows} stroke="#2b1b35" strokeWidth="1.02" />
  </svg>
)

const FileProgress = ({ y, percent, Photo }: { y: number; percent: number; Photo: typeof CakePhoto }) => (
  <g transform={`translate(18 ${y})`}>
    <svg width="44" height="44" viewBox="0 0 44 44">
      <clipPath id={`sent-${y}`}>
        <rect width="44" height="44" rx="10" />
      </clipPath>
      <g clipPath={`url(#sent-${y})`}>
        <Photo width="44" height="44" />
      </g>
    </svg>
    <rect x="56" y="10" width={percent === 100 ? 66 : 84} height="8" rx="4" className={styles.text} />
    <rect x="56" y="28" width="126" height="6" rx="3" className={styles.track} />
    <rect
      x="56"
      y="28"
      width={1.26 * percent}
      height="6"
      rx="3"
      className={percent === 100 ? styles.complete : styles.inProgress}
    />
  </g>
)

const Phone = () => (
  <g transform="translate(196 62) rotate(-4 114 228)">
    <rect width="228" height="456" rx="40" className={styles.body} />
    <rect x="10" y="10" width="208" height="436" rx="31" className={styles.screen} />
    <path d="M10 126V41a31 31 0 0 1 31-31h146a31 31 0 0 1 31 31v85z" className={styles.band} />
    <rect x="84" y="20" width="60" height="14" rx="7" className={styles.body} />
    <rect x="30" y="56" width="70" height="7" rx="3.5" className={styles.secondaryText} />
    <rect x="30" y="74" width="140" height="15" rx="6" className={styles.text} />
    <rect x="30" y="98" width="92" height="7" rx="3.5" className={styles.secondaryText} />
    <g transform="translate(10 142)">
      <rect x="18" width="172" height="72" rx="12" className={styles.dropZone} />
      <g transform="translate(86 14)" className={styles.camera}>
        <path d="M4 10h7l4-6h10l4 6h7v22H4z" />
        <circle cx="20" cy="20" r="6.5" />
      </g>
      <rect x="66" y="56" width="76" height="6" rx="3" className={styles.secondaryText} />
      <FileProgress y={90} percent={100} Photo={GardenPhoto} />
      <FileProgress y={146} percent={100} Photo={CakePhoto} />
      <FileProgress y={202} percent={64} Photo={DancePhoto} />
      <rect x="18" y="258" width="172" height="34" rx="12" className={styles.button} />
      <rect x="78" y="271" width="52" height="8" rx="4" className={styles.onButton} />
    </g>
  </g>
)

interface InstantPhotoProps {
  Photo: typeof CakePhoto
  /** The centre. */
  x: number
  y: number
  /** The rotation in degrees. */
  rotation: number
  width: number
  className: string | undefined
}

/** An instant photo, with a wide border at the bottom. */
const InstantPhoto = ({ Photo, x, y, rotation, width, className }: InstantPhotoProps) => {
  const border = width * 0.065
  const inner = width - 2 * border
  const height = inner * 0.94 + border + width * 0.2
  return (
    <g transform={`translate(${x} ${y}) rotate(${rotation})`}>
      <g className={className}>
        <rect x={-width / 2} y={-height / 2} width={width} height={height} rx="7" className={styles.paper} />
        <Photo x={-inner / 2} y={border - height / 2} width={inner} height={inner * 0.94} />
      </g>
    </g>
  )
}

/** A table card with the QR code. */
const TableCard = () => (
  <g transform="translate(22 322) rotate(-7 86 104)">
    <g className={styles.card}>
      <rect width="172" height="206" rx="12" className={styles.paper} />
      <QrCode x="17" y="18" width="138" height="138" />
      <rect x="46" y="170" width="80" height="9" rx="4.5" fill="#2b1b35" />
      <rect x="62" y="186" width="48" height="6" rx="3" fill="#a597ab" />
      <path d="M52-11h68l5 22H47z" className={styles.tape} />
    </g>
  </g>
)

const Confetti = () => (
  <g className={styles.confetti}>
    <rect x="62" y="58" width="26" height="12" rx="4" transform="rotate(-26 75 64)" fill="var(--plum)" />
    <circle cx="206" cy="40" r="9" fill="var(--teal)" />
    <rect x="296" y="16" width="24" height="11" rx="4" transform="rotate(28 308 22)" fill="var(--coral)" />
    <path d="M538 66a16 16 0 0 1 32 0z" transform="rotate(34 554 62)" fill="var(--marigold)" />
    <circle cx="572" cy="268" r="8" fill="var(--coral)" />
    <path d="M30 262q11-15 22 0t22 0" className={styles.streamer} stroke="var(--coral)" />
    <rect x="10" y="200" width="22" height="10" rx="4" transform="rotate(48 21 205)" fill="var(--marigold)" />
    <rect x="548" y="318" width="24" height="11" rx="4" transform="rotate(-40 560 324)" fill="var(--teal)" />
    <path d="M486 552q11-15 22 0t22 0" className={styles.streamer} stroke="var(--sky)" />
    <path d="M214 548a14 14 0 0 1 28 0z" transform="rotate(-28 228 548)" fill="var(--sky)" />
    <rect
      x="330"
      y="544"
      width="22"
      height="10"
      rx="4"
      transform="rotate(18 341 549)"
      fill="var(--marigold)"
    />
    <circle cx="584" cy="150" r="6" fill="var(--plum)" />
    <circle cx="128" cy="566" r="6" fill="var(--coral)" />
  </g>
)

/** A table card with a QR code, a phone with the upload page, and photos around it. */
export const HeroPicture = ({ className }: { className: string | undefined }) => (
  <svg viewBox="0 0 600 584" aria-hidden="true" focusable="false" className={className}>
    <circle cx="308" cy="296" r="252" className={styles.disc} />
    <InstantPhoto Photo={GardenPhoto} x={138} y={186} rotation={-11} width={196} className={styles.first} />
    <InstantPhoto Photo={DancePhoto} x={462} y={168} rotation={9} width={214} className={styles.second} />
    <Phone />
    <InstantPhoto Photo={GlassesPhoto} x={478} y={424} rotation={-7} width={178} className={styles.third} />
    <TableCard />
    <Confetti />
  </svg>
)

const frame = { viewBox: '0 0 320 190', 'aria-hidden': true, focusable: false } as const

const Print = ({ Photo, transform }: { Photo: typeof CakePhoto; transform: string }) => (
  <g transform={transform} className={styles.shadow}>
    <rect x="-35" y="-37" width="70" height="78" rx="4" className={styles.paper} />
    <Photo x="-30" y="-32" width="60" height="56" />
  </g>
)

/** Photos that are being sent, one behind the other. */
export const InstantPicture = () => (
  <svg {...frame}>
    <path d="M0 0h320v190H0z" className={styles.plum} />
    <path d="M26 158C80 170 96 60 300 40" className={styles.path} />
    <Print Photo={GardenPhoto} transform="translate(74 118) rotate(-14) scale(.82)" />
    <Print Photo={DancePhoto} transform="translate(150 98) rotate(5)" />
    <Print Photo={GlassesPhoto} transform="translate(236 78) rotate(-6) scale(1.2)" />
    <g className={styles.check} transform="translate(276 118)">
      <circle r="17" />
      <path d="m-7 0 5 5 9-10" />
    </g>
    <path d="M22 92h26M16 108h20M28 124h14" className={styles.speedLines} />
  </svg>
)

/** A cloud with photos. */
export const CloudPicture = () => (
  <svg {...frame}>
    <path d="M0 0h320v190H0z" className={styles.sky} />
    <Print Photo={CakePhoto} transform="translate(112 76) rotate(-12)" />
    <Print Photo={GardenPhoto} transform="translate(208 72) rotate(10)" />
    <Print Photo={DancePhoto} transform="translate(160 62) rotate(-2) scale(1.1)" />
    <path
      d="M98 164a36 36 0 0 1-4-72 46 46 0 0 1 76-20 40 40 0 0 1 58 26 33 33 0 0 1-4 66z"
      className={styles.cloud}
    />
    <path d="M160 112v30m-13-13 13 13 13-13" className={styles.arrow} />
    <circle cx="44" cy="46" r="6" fill="var(--marigold)" />
    <rect x="262" y="34" width="20" height="9" rx="3" transform="rotate(32 272 38)" fill="var(--coral)" />
    <rect x="34" y="132" width="18" height="8" rx="3" transform="rotate(-30 43 136)" fill="var(--plum)" />
    <circle cx="284" cy="128" r="5" fill="var(--teal)" />
  </svg>
)

/** A QR code on a tag. */
export const LinkPicture = () => (
  <svg {...frame}>
    <path d="M0 0h320v190H0z" className={styles.marigold} />
    <path d="M-4 44Q70 96 142 58M178 52q60-40 146-8" className={styles.string} />
    <g transform="rotate(6 160 110)" className={styles.shadow}>
      <path
        d="M118 60l20-26h44l20 26v110a10 10 0 0 1-10 10h-64a10 10 0 0 1-10-10z"
        className={styles.paper}
      />
      <QrCode x="126" y="82" width="68" height="68" />
      <rect x="138" y="160" width="44" height="7" rx="3.5" fill="#2b1b35" />
    </g>
    <g transform="rotate(6 160 110)">
      <circle cx="160" cy="56" r="8" className={styles.hole} />
      <path d="M148 54q-26-14-22-24 8-8 26 22 18-30 26-22 4 10-22 24" className={styles.bow} />
    </g>
    <Print Photo={GardenPhoto} transform="translate(58 112) rotate(-9)" />
    <Print Photo={CakePhoto} transform="translate(266 116) rotate(11)" />
  </svg>
)
