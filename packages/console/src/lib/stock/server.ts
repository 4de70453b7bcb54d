import type { Endpoint, Received, Reply, Sent, TokenClaims } from '@switchroom/contract'

/** Calls an endpoint exactly as it is given. */
export type Send = <E extends Endpoint>(e: E, sent: Sent<E>) => Promise<Reply<E>>

/** The stock server behind this console, and who is signed in there. */
export type Server = {
  send: Send
  user: TokenClaims | undefined
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
) => Promise<Reply<E> extends undefined ? unknown : Reply<E> | AllRows<E>>
/** A list that is asked for without a page answers all of its rows. */
type AllRows<E extends Endpoint> = E extends { list: true } ? Item<E>[] : never
/** An item of a list. */
export type Item<E extends Endpoint> = Reply<E> extends { data: (infer T)[] } ? T : never

/** A handler beside those of other endpoints, whose types differ. */
type AnyHandler = (sent: object, server: Server) => Promise<unknown>
export type Entry = readonly [Endpoint, AnyHandler]

// it is looked up by its endpoint, and so given what that endpoint is sent
export const on = <E extends Endpoint>(e: E, handle: Handler<E>): Entry => [e, handle as AnyHandler]

/** Without members that are null: for columns that are never null, and for owners that stay as they are. */
export const withoutNulls = <T extends object>(body: T) =>
  // only null and undefined members are gone
  Object.fromEntries(Object.entries(body).filter(([, value]) => value != null)) as {
    [K in keyof T]?: Exclude<T[K], null | undefined>
  }
