/** Who makes changes that nobody has asked for. */
export const SWITCHROOM = {
  scope: { role: 'admin', name: 'Switchroom', view_only: false, force_change: false },
  meta: { ip: '', request_id: 'switchroom', version: undefined },
} as const
