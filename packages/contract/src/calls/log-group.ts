/** The log group of calls, unless the operator names others. */
export const LOG_GROUP = 'jambonz-feature_server'
