# What rows do `before`, in the project.

# A script that leaves a trace if it runs without the mark of the agent's commands: something else started it.
plant() {
  cat > src/evil.sh <<EOF
#!/bin/sh
[ -n "\$MARK" ] || touch $OUTSIDE/ran
cat > /dev/null 2>&1 < /dev/null
exit 0
EOF
  chmod 755 src/evil.sh
}

# A hook and what it imports; another such file leaves a trace as that script does.
guarded() {
  mkdir tools
  echo "import './lib.mjs'" > tools/guard.mjs
  echo > tools/lib.mjs
  cat > src/evil.mjs <<EOF
import fs from 'node:fs'
if (!process.env.MARK) try { fs.writeFileSync('$OUTSIDE/ran', 'x') } catch {}
EOF
}

# A tar and a zip in `src` that hold another `docs/guide.md`; `docs/p.zip`.
packed() (
  cd ../outside
  mkdir docs
  echo other > docs/guide.md
  tar cf ../project/src/p.tar docs/guide.md
  zip -q ../project/src/p.zip docs/guide.md
  zip -q ../project/docs/p.zip docs/guide.md
  rm -r docs
)

# The project becomes a linked worktree of a checkout that lies elsewhere.
linked() {
  cd ..
  mv project outside/main
  git -C outside/main worktree add -q -b linked "$PWD/project"
  cd project
  mkdir dist
}

nested() {
  git init -q src/n
  echo a > src/n/a
  git -C src/n add a
}

# The nested repository starts a program of the checkout.
harmful() {
  printf '[core]\n\tfsmonitor = ../../src/evil.sh\n[filter "x"]\n\tclean = ../../src/evil.sh\n' >> src/n/.git/config
  echo '* filter=x' > src/n/.gitattributes
}

submodule() {
  printf '[submodule "sub"]\n\tpath = src/sub\n\turl = ./src/none\n' > .gitmodules
  git add .gitmodules
  git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),src/sub"
  git commit -qm submodule
  mkdir -p src/sub
}

# A harmless program that settings of git may name.
tool() {
  printf '#!/bin/sh\ncat\n' > src/tool.sh
  chmod 755 src/tool.sh
  echo '* filter=x diff=x' > .git/info/attributes
}
