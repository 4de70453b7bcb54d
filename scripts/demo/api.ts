/** Calls the server's public API with this token. Throws unless it succeeds. */
export function apiOf(url: string, token: string) {
  return async function api<T = { sid: string }>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
  ): Promise<T> {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }
}
export type Api = ReturnType<typeof apiOf>

export const logIn = async (url: string, username: string, password: string) =>
  (await apiOf(url, '')<{ token: string }>('POST', '/login', { username, password })).token
