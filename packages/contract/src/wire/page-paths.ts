/**
 * Public console pages, opened by link. The link's token is in the URL fragment, which browsers do
 * not send to servers.
 */
export const TRUNK_REPORT_PATH = '/trunk-report'
export const CUSTOMER_REPORT_PATH = '/customer-report'
export const UNSUBSCRIBE_PATH = '/unsubscribe'
