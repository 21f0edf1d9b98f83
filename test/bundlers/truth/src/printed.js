/** Written anew by the test. */
export default '';
