/** Actor of changes that nobody requested. */
export const SWITCHROOM = {
  scope: { role: 'admin', name: 'Switchroom', view_only: false, force_change: false },
  meta: { ip: '', request_id: 'switchroom', version: undefined },
} as const
