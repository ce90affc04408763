/** The version of the product: that of every package. A device reports it as the version of its player. */
export const VERSION = '0.2.0';
