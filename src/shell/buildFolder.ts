/** A folder that is called like what a build makes: its files are run. In a folder of sources anybody may have put them. */
export const buildFolder =
  /^(?:\.|(?:\.\/)?[\w.+-]*(?:build|out|bin|target|dist|obj|debug|release)[\w.+-]*(?:\/[\w.+-]*)*)$/i
