# Bash completion for `git standards`, through Git's own: Git calls _git_standards with the words so far.
_git_standards() {
  local before=("${words[@]:2:cword-2}")
  COMPREPLY=($(compgen -W "$(git-standards "${before[@]}" ${cur:+$([[ $cur == -* ]] && printf %s "$cur")} --generate-bash-completion 2>/dev/null)" -- "$cur"))
  # These take files, which the program does not list.
  case " ${before[*]} " in
    *" adopt "* | *" mv "* | *" query route "*)
      if [[ $cur != -* ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      fi
      ;;
  esac
}
