import type {
  api,
  CsvFile,
  Endpoint,
  FileRead,
  ImportVerdict,
  Progress,
  Reply,
  Sent,
} from '@switchroom/contract'
import type { Loaded, RemoteFile } from './file.ts'

/** Content to upload. Only a blob or bytes can be sent again after a failure. */
export type Upload = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

export type Options = {
  signal?: AbortSignal
  /** Idempotency key of this creation: it is done once, however often it is sent. Generated if missing. */
  idempotencyKey?: string
  /** Checks the request by the contract's schemas first, which are loaded for that. */
  check?: boolean
}
type Reporting = {
  /** Called as rows are written. */
  onProgress?: (progress: Progress) => void
}
export type Importing = Reporting & {
  /** Called in a dry run with how the file was read. */
  onRead?: (file: FileRead) => void
}
export type Loading = {
  /** Called as bytes arrive. */
  onProgress?: (loaded: Loaded) => void
}

type IsFile =
  | { file: string }
  | { stream: true }
  | { download: true }
  | { sound: true }
  | { picture: true }

/** Parts that are optional because all their members are. */
type Parts<S> = { [K in keyof S as object extends S[K] ? never : K]: S[K] } & {
  [K in keyof S as object extends S[K] ? K : never]?: S[K]
}

/** Endpoints that return a page: number and size are optional. */
type IsPaged<E extends Endpoint> =
  Sent<E> extends { query: { page?: unknown } } ? (PageIn<E> extends never ? false : true) : false
type PageIn<E extends Endpoint> = Extract<Reply<E>, { data: unknown[] }>
type Paging<S> = S extends { query: infer Q }
  ? Omit<S, 'query'> & { query: Omit<Q, 'page' | 'count'> & { page?: number; count?: number } }
  : S

type Uploading<S> = Omit<S, 'body'> & { body: Upload }
/** Parts of a request to an endpoint. */
export type Request<E extends Endpoint> = Parts<
  E extends { takesCsv: number }
    ? Uploading<Sent<E>> & Partial<Pick<CsvFile, 'charset'>>
    : E extends { takesFile: number }
      ? Uploading<Sent<E>>
      : IsPaged<E> extends true
        ? Paging<Sent<E>>
        : Sent<E>
>

/** Answer of an endpoint. */
export type Answer<E extends Endpoint> = E extends IsFile
  ? RemoteFile
  : E extends { takesCsv: number }
    ? ImportVerdict
    : Reply<E>

type OptionsOf<E> = Options &
  (E extends IsFile
    ? Loading
    : E extends { takesCsv: number }
      ? Importing
      : E extends { tellsProgress: true }
        ? Reporting
        : unknown)

type Arguments<E extends Endpoint> =
  object extends Request<E>
    ? [request?: Request<E>, options?: OptionsOf<E>]
    : [request: Request<E>, options?: OptionsOf<E>]

type Item<E extends Endpoint> = PageIn<E>['data'][number]

/** An endpoint as a function. Those that return a page also have all rows, or page by page. */
export type Method<E extends Endpoint> = ((...args: Arguments<E>) => Promise<Answer<E>>) &
  (IsPaged<E> extends true
    ? {
        /** Yields every row, from `page` on. Fetches the next page when it is needed. */
        items: (...args: Arguments<E>) => AsyncGenerator<Item<E>, void, undefined>
        pages: (...args: Arguments<E>) => AsyncGenerator<PageIn<E>, void, undefined>
      }
    : unknown)

type Api = typeof api

/** Every endpoint of the contract, by group and name: `phoneNumbers.list`. */
export type Methods = {
  [G in keyof Api]: { [N in keyof Api[G]]: Method<Extract<Api[G][N], Endpoint>> }
}
