declare module '*?script' {
  const script: string
  export default script
}
