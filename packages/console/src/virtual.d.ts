declare module 'virtual:endpoints' {
  const endpoints: unknown
  export default endpoints
}
