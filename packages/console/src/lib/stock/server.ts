import type { TokenClaims } from '@switchroom/contract'
import type { Endpoint, Received, Reply, Sent } from '../endpoints'

/** Calls an endpoint without adapting anything. */
export type Send = <E extends Endpoint>(e: E, sent: Sent<E>) => Promise<Reply<E>>

/** The stock server, and the user who is signed in. */
export type Server = {
  send: Send
  user: TokenClaims | undefined
  /** The current service provider. */
  provider: () => Promise<string>
}

/** A screen's request, with its body parsed by the schema. */
export type Given<E extends Endpoint> = Omit<Sent<E>, 'body'> &
  ('body' extends keyof Received<E> ? Pick<Received<E>, 'body' & keyof Received<E>> : unknown)

/** Implements an endpoint of the contract on a stock server. */
export type Handler<E extends Endpoint> = (
  sent: Given<E>,
  server: Server,
) => Promise<Reply<E> extends undefined ? unknown : Reply<E> | AllRows<E>>
/** The reply of a list that is requested without a page. */
type AllRows<E extends Endpoint> = E extends { list: true } ? Item<E>[] : never
/** An item of a list. */
export type Item<E extends Endpoint> = Reply<E> extends { data: (infer T)[] } ? T : never

/** A handler of any endpoint. */
type AnyHandler = (sent: object, server: Server) => Promise<unknown>
export type Entry = readonly [Endpoint, AnyHandler]

// handlers are looked up by endpoint, so each gets its own endpoint's request
export const on = <E extends Endpoint>(e: E, handle: Handler<E>): Entry => [e, handle as AnyHandler]

/** Drops null members: for columns that cannot be null, and for owners that stay unchanged. */
export const withoutNulls = <T extends object>(body: T) =>
  // only null and undefined members are gone
  Object.fromEntries(Object.entries(body).filter(([, value]) => value != null)) as {
    [K in keyof T]?: Exclude<T[K], null | undefined>
  }
