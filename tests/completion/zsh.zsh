# zsh.zsh LINE - in a terminal of its own, type the line and a tab; print what zsh would continue it with.
zmodload zsh/zpty
hits=$TMP/hits
rm -f $hits $hits.done
zpty shell zsh -f -i
zpty -w shell "PS1= PS2= TMP=$TMP; autoload -Uz compinit && compinit -u -C -d $TMP/dump; source $TMP/_bufsim"
zpty -w shell 'compadd() {
	local -a found
	builtin compadd -A found "$@"
	print -rl -- $found >>$TMP/hits
	builtin compadd "$@"
}'
zpty -w shell 'finish() { zle -I; touch $TMP/hits.done; exit }; zle -N finish; bindkey "^G" finish'
zpty -w -n shell "$1"$'\t'
zpty -w -n shell $'\C-g'
integer i
while [[ ! -e $hits.done ]] && (( i++ < 1000 )); do
	zpty -r -t shell ignored
	sleep 0.01
done
zpty -d shell
[[ -e $hits ]] && cat $hits
