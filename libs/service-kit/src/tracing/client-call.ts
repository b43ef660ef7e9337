/** What a span says about a call to another service. */
export const clientCall = (method: string, url: URL, template: string) => ({
  'http.request.method': method,
  'url.full': url.href,
  'url.template': template,
  'server.address': url.hostname,
  'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
})
