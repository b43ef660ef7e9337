import styles from './feature-pictures.module.css'
import { QrCode } from './qr-code.tsx'
import { CakePhoto, DancePhoto, GardenPhoto, GlassesPhoto } from './photo-illustrations.tsx'

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
