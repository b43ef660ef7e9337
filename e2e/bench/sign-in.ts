/** Signs a member in. Returns the headers of their calls, which have JSON bodies. */
export const signIn = async (
  api: string,
  credentials: { email: string; password: string },
): Promise<Record<string, string>> => {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${api}/api/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(credentials),
  })
  if (!response.ok) throw new Error(`Signing in returned ${response.status}: ${await response.text()}`)
  const { accessToken } = (await response.json()) as { accessToken: string }
  return { ...headers, Authorization: `Bearer ${accessToken}` }
}
