/**
 * Removes from an error's text what may name a person or grant access: queries and hashes of URLs, email addresses,
 * quoted text other than identifiers, and ids and tokens.
 */
export const removePersonalData = (text: string): string =>
  text
    .replaceAll(/(\/[^\s?#]*)[?#][^\s)]*/g, '$1')
    .replaceAll(/[^\s@/:"'<>()]+@[^\s@/:"'<>()]+\.[^\s@/:"'<>()]+/g, '[email]')
    .replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`|'(?![\w$.]*')[^']*'/g, '[text]')
    .replaceAll(/(?=[\w-]*\d)[\w-]{20,}(?:\.[\w-]{20,})*/g, '[id]')
