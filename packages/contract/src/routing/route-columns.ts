/** The columns of a file of outbound routes, in their order. A route with several carriers has a row for each. */
export const ROUTE_COLUMNS = ['pattern', 'description', 'priority', 'carrier', 'workload'] as const
