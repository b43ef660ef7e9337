import { createElement, type SVGProps } from 'react'

interface IconData {
  name: string
  node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]
}

interface Props extends SVGProps<SVGSVGElement> {
  size?: number
}

const base = {
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/**
 * Creates the component of an icon of lucide-react. The builds use it instead of that package's own function, whose
 * options no page uses, and which would be 1.1 kB (gzip) of a guest's download.
 */
const createIcon =
  ({ name, node }: IconData) =>
  ({ size = 24, className = '', ...rest }: Props) =>
    createElement(
      'svg',
      { ...base, width: size, height: size, className: `lucide-${name} ${className}`, ...rest },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
// eslint-disable-next-line import-x/no-default-export -- The icons import the default.
export default createIcon
