import type { Flag, Language, Preferences, ViewList } from '@switchroom/contract'

export type UserTables = {
  /** Directories that manage users over SCIM. */
  switchroom_directories: {
    directory_sid: string
    name: string
    service_provider_sid: string | null
    /** JSON (`AccessGrant`). */
    default_access: string | null
    token_digest: string
    /** ISO 8601, UTC. */
    created_at: string
    last_used: string | null
  }
  /** Saved views of lists. */
  switchroom_saved_views: {
    saved_view_sid: string
    list: ViewList
    name: string
    /** Search and columns of the view, as JSON. */
    content: string
    /** The user who saved it. */
    user_sid: string
    /** An account, a provider, or (empty) all administrators; null for its user alone. */
    shared_with: string | null
    /** ISO 8601, UTC. */
    created_at: string
    updated_at: string
  }
  /** A person's preferences for the console. Null: never chosen. */
  switchroom_preferences: {
    user_sid: string
    /** `local`, or a name of the IANA database. */
    time_zone: string | null
    language: Language | null
    theme: Preferences['theme']
    hides_getting_started: Flag | null
    file_separator: Preferences['file_separator']
    file_times: Preferences['file_times']
    /** JSON. */
    import_columns: string | null
  }
}
