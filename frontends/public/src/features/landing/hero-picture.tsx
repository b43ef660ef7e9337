import styles from './hero-picture.module.css'
import { QrCode } from './qr-code.tsx'
import { CakePhoto, DancePhoto, GardenPhoto, GlassesPhoto } from './photo-illustrations.tsx'

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

interface PrintProps {
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
const Print = ({ Photo, x, y, rotation, width, className }: PrintProps) => {
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
    <Print Photo={GardenPhoto} x={138} y={186} rotation={-11} width={196} className={styles.first} />
    <Print Photo={DancePhoto} x={462} y={168} rotation={9} width={214} className={styles.second} />
    <Phone />
    <Print Photo={GlassesPhoto} x={478} y={424} rotation={-7} width={178} className={styles.third} />
    <TableCard />
    <Confetti />
  </svg>
)
