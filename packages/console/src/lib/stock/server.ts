import type { Endpoint, Received, Reply, Sent, TokenClaims } from '@switchroom/contract'

/** Calls an endpoint exactly as it is given. */
export type Ask = <E extends Endpoint>(e: E, sent: Sent<E>) => Promise<Reply<E>>

/** The stock server behind this console, and who is signed in there. */
export type Server = {
  ask: Ask
  who: TokenClaims | undefined
  /** The service provider whose things are on screen. */
  provider: () => Promise<string>
}

/** What a screen sends: its body has been through the schema. */
export type Given<E extends Endpoint> = Omit<Sent<E>, 'body'> &
  ('body' extends keyof Received<E> ? Pick<Received<E>, 'body' & keyof Received<E>> : unknown)

/** Does on a stock server what the contract says of an endpoint, and answers as the contract says. */
export type Handler<E extends Endpoint> = (
  sent: Given<E>,
  server: Server,
) => Promise<Reply<E> extends undefined ? unknown : Reply<E>>
export type Entry = readonly [Endpoint, Handler<Endpoint>]

export const on = <E extends Endpoint>(e: E, handle: Handler<E>): Entry => [
  e,
  handle as unknown as Handler<Endpoint>,
]

/** Without members that are null: for columns that are never null, and for owners that stay as they are. */
export const withoutNulls = <T extends object>(body: T) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value != null)) as {
    [K in keyof T]?: Exclude<T[K], null | undefined>
  }
