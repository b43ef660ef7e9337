import { useId, type SVGProps } from 'react'

// Drawings of guests' photos. Their colours are the same in both themes.

type Props = Pick<SVGProps<SVGSVGElement>, 'x' | 'y' | 'width' | 'height' | 'className'>

const frame = { viewBox: '0 0 160 150', preserveAspectRatio: 'xMidYMid slice' } as const

/** A garden at sunset, with string lights. */
export const GardenPhoto = (props: Props) => {
  const gradientId = useId()
  return (
    <svg {...frame} {...props}>
      <linearGradient id={gradientId} x2="0.3" y2="1">
        <stop stopColor="#f7c65a" />
        <stop offset="0.55" stopColor="#f08a5d" />
        <stop offset="1" stopColor="#d9486a" />
      </linearGradient>
      <path d="M0 0h160v150H0z" fill={`url(#${gradientId})`} />
      <circle cx="104" cy="84" r="24" fill="#fff1c9" />
      <path d="M0 108q40-30 84-10t76-12v64H0z" fill="#9c3b66" />
      <path d="M0 126q50-22 92-8t68-4v36H0z" fill="#5c2459" />
      <path d="M24 128V62" stroke="#43193f" strokeWidth="5" strokeLinecap="round" />
      <circle cx="24" cy="50" r="26" fill="#43193f" />
      <circle cx="6" cy="62" r="17" fill="#43193f" />
      <path d="M112 120l22-30 22 30z" fill="#fff4e2" />
      <path d="M112 120l22-30 6 30z" fill="#f6dcc6" />
      <path d="M134 90v-8" stroke="#fff4e2" strokeWidth="2" />
      <path d="M134 82l10 3-10 3z" fill="#e8505b" />
      <path d="M34 34q52 40 130-14M38 56q48 24 126-8" fill="none" stroke="#5c2459" strokeWidth="1.4" />
      {[
        [54, 46],
        [78, 50],
        [104, 46],
        [130, 36],
        [62, 64],
        [92, 66],
        [122, 60],
        [146, 53],
      ].map(([x, y]) => (
        <g key={x} fill="#fff6d8">
          <circle cx={x} cy={y} r="6" opacity="0.35" />
          <circle cx={x} cy={y} r="2.8" />
        </g>
      ))}
    </svg>
  )
}

/** A dance floor. */
export const DancePhoto = (props: Props) => {
  const gradientId = useId()
  return (
    <svg {...frame} {...props}>
      <linearGradient id={gradientId} x2="0.4" y2="1">
        <stop stopColor="#4c9fd8" />
        <stop offset="0.6" stopColor="#6a4aa5" />
        <stop offset="1" stopColor="#6d2a6b" />
      </linearGradient>
      <path d="M0 0h160v150H0z" fill={`url(#${gradientId})`} />
      <path d="M80 34 8 150h44zM80 34l16 116h40zM80 34 0 76v26zM80 34l80 34v28z" fill="#fff" opacity="0.13" />
      <path d="M80 0v16" stroke="#e9f4ff" strokeWidth="2" />
      <circle cx="80" cy="34" r="19" fill="#dcecff" />
      <path
        d="M62 28q18 8 36 0M61 36q19 9 38 0M65 45q15 7 30 0M66 22q14 6 28 0M80 15v38M71 17q-7 17 0 34M89 17q7 17 0 34"
        fill="none"
        stroke="#8fa9dd"
        strokeWidth="1.6"
      />
      <circle cx="72" cy="27" r="4" fill="#fff" />
      <g opacity="0.8">
        <circle cx="26" cy="38" r="5" fill="#ffc95c" />
        <circle cx="132" cy="28" r="4" fill="#ff7a83" />
        <circle cx="120" cy="62" r="6" fill="#57c4b8" />
        <circle cx="40" cy="74" r="4" fill="#fff" />
        <circle cx="146" cy="82" r="4" fill="#ffc95c" />
        <circle cx="16" cy="86" r="6" fill="#ff7a83" opacity="0.8" />
      </g>
      <g fill="#2a1436" stroke="#2a1436" strokeLinecap="round" strokeWidth="7">
        <path d="M22 140 10 104M34 140l10-32M66 142 56 100M82 142l16-40M120 140l-6-36M134 140l14-34" />
        <circle cx="28" cy="116" r="8" />
        <circle cx="74" cy="110" r="9" />
        <circle cx="127" cy="114" r="8" />
        <circle cx="101" cy="128" r="7" />
        <circle cx="51" cy="130" r="7" />
        <path d="M4 150q24-30 48-4 22-34 46-4 28-32 58 8z" />
      </g>
    </svg>
  )
}

/** A cake. */
export const CakePhoto = (props: Props) => {
  const gradientId = useId()
  return (
    <svg {...frame} {...props}>
      <linearGradient id={gradientId} x2="0.2" y2="1">
        <stop stopColor="#bfe8df" />
        <stop offset="1" stopColor="#4fb3a8" />
      </linearGradient>
      <path d="M0 0h160v150H0z" fill={`url(#${gradientId})`} />
      <path d="M-4 8q42 26 84 22T166 6" fill="none" stroke="#fff" strokeWidth="1.6" />
      <path d="M14 17l16 6-11 14z" fill="#e8505b" />
      <path d="M40 26l17 3-10 14z" fill="#f2b134" />
      <path d="M68 30l17 0-8 15z" fill="#6d2a6b" />
      <path d="M96 29l17-4-6 16z" fill="#fff" />
      <path d="M123 23l15-6-3 17z" fill="#e8505b" />
      <ellipse cx="80" cy="134" rx="96" ry="26" fill="#fff7ee" />
      <rect x="38" y="98" width="84" height="32" rx="6" fill="#fff" />
      <rect x="51" y="74" width="58" height="28" rx="6" fill="#fff0f0" />
      <rect x="63" y="54" width="34" height="24" rx="6" fill="#fff" />
      <path
        d="M38 104q0-6 6-6h72q6 0 6 6v3q-6 9-12 0-6 9-12 0-6 9-12 0-6 9-12 0-6 9-12 0-6 9-12 0-6 9-12 0z"
        fill="#ff7a83"
      />
      <path d="M51 80q0-6 6-6h46q6 0 6 6v2q-6 8-12 0-5 8-11 0-6 8-12 0-5 8-11 0-6 8-12 0z" fill="#f2b134" />
      <path d="M63 60q0-6 6-6h22q6 0 6 6-6 7-11 0-6 7-12 0-5 7-11 0z" fill="#ff7a83" />
      <path d="M80 50c-12-8-8-16-3-14 2 0 3 3 3 3s1-3 3-3c5-2 9 6-3 14z" fill="#e8505b" />
      <circle cx="54" cy="121" r="3" fill="#f2b134" />
      <circle cx="80" cy="121" r="3" fill="#57c4b8" />
      <circle cx="106" cy="121" r="3" fill="#f2b134" />
    </svg>
  )
}

/** Two champagne glasses. */
export const GlassesPhoto = (props: Props) => {
  const gradientId = useId()
  return (
    <svg {...frame} {...props}>
      <linearGradient id={gradientId} x2="0.4" y2="1">
        <stop stopColor="#ffe3c2" />
        <stop offset="1" stopColor="#f2a0a0" />
      </linearGradient>
      <path d="M0 0h160v150H0z" fill={`url(#${gradientId})`} />
      <g fill="#fff" opacity="0.55">
        <circle cx="28" cy="34" r="14" />
        <circle cx="136" cy="112" r="18" />
        <circle cx="128" cy="30" r="9" />
        <circle cx="22" cy="112" r="10" />
      </g>
      {[20, -20].map((rotation, index) => (
        <g key={rotation} transform={`translate(${index === 0 ? 54 : 106} 82) rotate(${rotation})`}>
          <path d="M-13-46h26l-2 40q-1 14-11 14t-11-14z" fill="#fff" opacity="0.75" />
          <path d="M-12-28h24l-1 22q-1 14-11 14t-11-14z" fill="#f2b134" />
          <path d="M0 8v34M-12 44h24" stroke="#fff" strokeWidth="4" strokeLinecap="round" />
          <g fill="#fff3c9">
            <circle cx="-4" cy="-14" r="2" />
            <circle cx="4" cy="-4" r="1.6" />
            <circle cx="3" cy="-20" r="1.4" />
          </g>
        </g>
      ))}
      <path d="M80 22v-12M66 26l-7-9M94 26l7-9" stroke="#6d2a6b" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
