declare global {
  interface Window {
    /** What the shell's page asked for before its code had come, by address. */
    early?: Record<string, Promise<Response>>
  }
}

/** The answer that the page asked for ahead, the first time; fetched now otherwise. */
export const fetchEarly = (url: string, init?: RequestInit): Promise<Response> => {
  const early = window.early?.[url]
  delete window.early?.[url]
  return early ?? fetch(url, init)
}
