# Bash completion for `git standards`: Git's own finds _git_standards and calls it with the words so far.
_git_standards() {
  # Git says where its subcommand stands, and what -C before it was.
  local at=${__git_cmd_idx:-1}
  local before=("${__git_C_args[@]}" "${words[@]:at+1:cword-at-1}")
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
