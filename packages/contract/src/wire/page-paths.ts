/** Paths of the console's pages for those who have a link. Its secret follows as the fragment, which browsers send to no server. */
export const TRUNK_REPORT_PATH = '/trunk-report'
export const CUSTOMER_REPORT_PATH = '/customer-report'
export const UNSUBSCRIBE_PATH = '/unsubscribe'
